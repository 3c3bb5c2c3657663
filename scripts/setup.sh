# Sourced by scripts/gpulingo and scripts/test, which set `root` to the checkout: makes or renews its .venv.
# `set_up base` installs gpulingo, `set_up test` adds what the tests need. Everything said goes to stderr, because
# stdout may belong to a referee.

# set_up_needed KIND: whether that set-up was never finished, or is older than the files it was made from.
# -nt also holds when only the left file exists; no command is started, since the pit runs this once per word.
set_up_needed() {
    [[ $root/pyproject.toml -nt $root/.venv/ready-$1 || $root/constraints.txt -nt $root/.venv/ready-$1 ]]
}

set_up() {
    # In a subshell, so that the lock, the trap and the options end with it; one start at a time holds the lock.
    (
        kind=$1 root=$(cd -- "$root" && pwd) || exit 1
        exec 9<"$root/pyproject.toml" || exit 1
        if command -v flock >/dev/null && ! flock -n 9; then
            echo "gpulingo: waiting for another start to finish setting up"
            flock 9
        fi
        set_up_needed "$kind" || exit 0  # another start has done it meanwhile
        set_up_environment && set_up_packages "$kind"
    ) </dev/null >&2
}

# Makes .venv unless a whole one is there. The mark beside it stands for one whose making was interrupted.
set_up_environment() {
    local python=${PYTHON:-python3}
    if [[ ! -e $root/.venv-unfinished ]] && "$root/.venv/bin/python" -c 'import pip' 2>/dev/null; then
        return
    fi
    if ! command -v "$python" >/dev/null; then
        echo "gpulingo: no $python found; install Python 3.11 or later, or name it: PYTHON=/path/to/python"
        return 1
    fi
    if ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
        echo "gpulingo: $("$python" --version) is too old; install Python 3.11 or later, or name it: PYTHON=/path/to/python"
        return 1
    fi
    echo "gpulingo: first use: installing into $root/.venv with pip (minutes; PyTorch is large)"
    : >"$root/.venv-unfinished" && rm -rf "$root/.venv" || return
    if ! "$python" -m venv "$root/.venv"; then
        echo "gpulingo: $python cannot make a virtual environment; install its venv module (Debian: python3-venv)"
        return 1
    fi
}

# Installs gpulingo in editable form with the pinned versions.
set_up_packages() {
    local kind=$1 extra="" pip=("$root/.venv/bin/python" -m pip --disable-pip-version-check --quiet)
    [[ $kind == test ]] && extra="[test]"
    [[ -e $root/.venv-unfinished ]] || echo "gpulingo: bringing $root/.venv up to date with pip"
    # The stamp is as old as the start of the work: what changes meanwhile is newer.
    : >"$root/.venv/stamp" || return
    # The build backend is installed first, by its pin, instead of a newest one in a build environment of pip's own.
    if ! "${pip[@]}" install -c "$root/constraints.txt" hatchling editables ||
        ! "${pip[@]}" install -c "$root/constraints.txt" --no-build-isolation -e "$root$extra"; then
        echo "gpulingo: pip could not install what $root/pyproject.toml asks for; mend the cause above and start again"
        return 1
    fi
    if [[ $kind == test ]]; then cp -p "$root/.venv/stamp" "$root/.venv/ready-test" || return; fi
    mv -f "$root/.venv/stamp" "$root/.venv/ready-base" && rm -f "$root/.venv-unfinished"
}
