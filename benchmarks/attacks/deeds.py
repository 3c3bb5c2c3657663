"""Player programs: an honest player, and everything that a hostile player may try."""

HONEST = (
    "for word in open('wordlist5.txt').read().split()[:5]:\n    say(word)\n    if hear() == 'OOOOO': break\n"
)

PRELUDE = """
import os, resource, signal, sys, time
referee = os.getppid()

def say(text):
    os.write(1, (text if isinstance(text, bytes) else text.encode()) + b"\\n")

def hear():
    return sys.stdin.readline().strip()

def parent(pid):
    try:
        return int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0

match = parent(referee)

def referees():
    return [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and parent(pid) == match]

def send(pids, number):
    for pid in pids:
        try:
            os.kill(pid, number)
        except OSError:
            pass

def child(*steps):
    if os.fork() == 0:
        for step in steps: step()
        time.sleep(1000)
        os._exit(0)

def hop():
    while True:
        if os.getpgrp() != os.getpid(): os.setsid()
        if os.fork(): os._exit(0)

def fill():
    for name in os.listdir(f"/proc/{referee}/fd"):
        try:
            end = os.open(f"/proc/{referee}/fd/{name}", os.O_WRONLY | os.O_NONBLOCK)
            for _ in range(100): os.write(end, b"robin" * 1000)
        except OSError:
            pass

def drain():
    while True:
        for name in os.listdir(f"/proc/{referee}/fd"):
            try:
                os.read(os.open(f"/proc/{referee}/fd/{name}", os.O_RDONLY | os.O_NONBLOCK), 65536)
            except OSError:
                pass
        time.sleep(0.001)
"""

# Actions of a hostile player; a case combines them in any order and number.
DEEDS = {
    "stop": "send([referee], signal.SIGSTOP)",
    "stop group": "os.killpg(os.getpgid(referee), signal.SIGSTOP)",
    "stop referees": "send(referees(), signal.SIGSTOP)",
    "stop and wake": "child(lambda: [(send([referee], 19), time.sleep(.05), send([referee], 18)) "
    "for _ in range(9999)])",
    "kill": "send([referee], signal.SIGKILL)",
    "kill referees": "send(referees(), signal.SIGKILL)",
    "terminate": "send([referee], signal.SIGTERM)",
    "interrupt": "send([referee], signal.SIGINT)",
    "hang up": "send([referee], signal.SIGHUP)",
    "alarm": "send([referee], signal.SIGALRM)",
    "child": "child()",
    "child in a session": "child(os.setsid, os.fork)",
    "orphan": "child(os.setsid, lambda: os.fork() and os._exit(0))",
    "orphan that kills": "child(os.setsid, lambda: os.fork() and os._exit(0), lambda: time.sleep(.2), "
    "lambda: send(referees(), 9))",
    "fork bomb": "for _ in range(5): os.fork()",
    "hop": "child(hop)",
    "flood lines": "for _ in range(300): os.write(1, b'bingo\\n' * 5000)",
    "flood stderr": "for _ in range(300): os.write(2, b'a' * 50000)",
    "long line": "say('a' * 70000)",
    "garbage": "say(os.urandom(300)); say(b'\\0\\xff\\x1b[2J')",
    "empty lines": "say('\\n\\n')",
    "guess": "say('heron')",
    "listen": "hear()",
    "wait": "time.sleep(.3)",
    "ignore": "[signal.signal(n, signal.SIG_IGN) for n in (1, 2, 13, 15)]",
    "close stdout": "os.close(1)",
    "close stdin": "os.close(0)",
    "close stderr": "os.close(2)",
    "stop itself": "os.kill(os.getpid(), signal.SIGSTOP)",
    "take files": "resource.prlimit(referee, resource.RLIMIT_NOFILE, (0, 0))",
    "take memory": "resource.prlimit(referee, resource.RLIMIT_AS, (0, 0))",
    "take time": "resource.prlimit(referee, resource.RLIMIT_CPU, (0, 1))",
    "renice": "os.setpriority(os.PRIO_PROCESS, referee, 15)",
    "few files": "resource.setrlimit(resource.RLIMIT_NOFILE, (3, 3))",
    "fill pipes": "fill()",
    "drain pipes": "child(drain)",
    "remove folder": "import shutil; shutil.rmtree(os.getcwd())",
    "forbid folder": "os.chmod('.', 0)",
    "deep folders": "[(os.mkdir('d' * 99), os.chdir('d' * 99)) for _ in range(3000)]",
    "closed folders": "os.makedirs('closed/in'); os.chmod('closed/in', 0); os.chmod('closed', 0)",
    "deep folders at the top": "os.chdir('..'); [(os.mkdir('e'), os.chdir('e')) for _ in range(3000)]",
    "empty lists": "import glob; [open(path, 'w').close() for path in glob.glob('../*/wordlist*.txt')]",
    "remove lists": "import glob; [os.unlink(path) for path in glob.glob('../*/wordlist*.txt')]",
    "make pipes": "os.mkfifo('pipe'); os.mkfifo('.gpulingo-match')",
}  # fmt: skip
ENDS = ["time.sleep(1000)", "sys.exit()", "sys.exit(3)", "os.kill(os.getpid(), 11)", "1 / 0", HONEST]
