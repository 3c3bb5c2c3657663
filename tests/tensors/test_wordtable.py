"""What is made of a table of words; the tables are rows of calls.tsv."""

from weakref import ref

from gpulingo.tensors.wordtable import cached_by_table, encode


def test_what_is_made_of_a_table_is_made_once_and_goes_with_it():
    asked = []

    @cached_by_table
    def words(table):
        asked.append(table)
        return table.words

    tables = [encode(["heron", "robin"]), encode(["eagle"])]
    assert [words(table) for table in tables * 3] == [2, 1] * 3
    assert asked == tables
    gone = ref(tables.pop())
    asked.clear()
    assert gone() is None
