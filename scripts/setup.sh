# Makes or updates the checkout's .venv. Sourced by scripts/gpulingo, scripts/test and scripts/docs, which set `root`.
# `set_up base` installs gpulingo, `set_up test` adds what the tests need, `set_up docs` what the site needs,
# `set_up test,docs` both. All messages go to stderr, because stdout may belong to a referee.

# set_up_needed KIND: whether that set-up is unfinished, or older than the files it was made from.
# -nt is also true if only the left file exists. No command is started, since the pit runs this once per word.
set_up_needed() {
    [[ $root/pyproject.toml -nt $root/.venv/ready-$1 || $root/constraints.txt -nt $root/.venv/ready-$1 ]]
}

set_up() {
    # In a subshell, so that the lock ends with it; one start at a time holds the lock.
    (
        kind=$1 root=$(cd -- "$root" && pwd) || exit 1
        exec 9<"$root/pyproject.toml" || exit 1
        if command -v flock >/dev/null && ! flock -n 9; then
            echo "gpulingo: waiting for another start to finish setting up"
            flock 9
        fi
        set_up_needed "$kind" || exit 0  # another start did it meanwhile
        set_up_environment && set_up_packages "$kind"
    ) </dev/null >&2
}

# Makes .venv unless a complete one exists. The file .venv-unfinished means that making it was interrupted.
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
    echo "gpulingo: first use: installing into $root/.venv with pip"
    : >"$root/.venv-unfinished" && rm -rf "$root/.venv" || return
    if ! "$python" -m venv "$root/.venv"; then
        echo "gpulingo: $python cannot make a virtual environment; install its venv module (Debian: python3-venv)"
        return 1
    fi
}

# Installs gpulingo in editable form with the pinned versions. Pip shows its progress, unless nearly everything is installed.
set_up_packages() {
    local kind=$1 extra="" pip=("$root/.venv/bin/python" -m pip --disable-pip-version-check) first=(hatchling editables)
    local torch=$(sed -n 's/^torch==//p' "$root/constraints.txt")
    [[ $kind == base ]] || extra="[$kind]"
    [[ -e $root/.venv-unfinished ]] || echo "gpulingo: bringing $root/.venv up to date with pip"
    if ! torch_installed "$torch"; then
        choose_torch "$torch"
    elif [[ -e $root/.venv/ready-$kind ]]; then
        pip+=(--quiet)
    fi
    if [[ ! -e $root/.venv/ready-$kind ]]; then
        case $kind in *test*) echo "gpulingo: the tests add about 0.5 GB to download, 1.3 GB on disk" ;; esac
        case $kind in *docs*) echo "gpulingo: the site's tools add about 26 MB to download, 0.13 GB on disk" ;; esac
    fi
    # The stamp has the start time of the work: files that change meanwhile are newer.
    : >"$root/.venv/stamp" || return
    # The build backend is installed first, pinned; pip would put the newest one into a separate build environment. Below,
    # Python compiles only what is imported; pip would compile everything, for 20 s and more.
    if ! "${pip[@]}" install --no-compile -c "$root/constraints.txt" "${first[@]}" ||
        ! "${pip[@]}" install --no-compile -c "$root/constraints.txt" --no-build-isolation -e "$root$extra"; then
        echo "gpulingo: pip could not install what $root/pyproject.toml asks for; mend the cause above and start again"
        return 1
    fi
    unset PYTHONDONTWRITEBYTECODE
    # Compile as pip would: the pit starts a process for each word, and compiling its imports takes longer than the game.
    "$root/.venv/bin/python" -m compileall -q "$root/gpulingo"
    # Compile the kernels now, so that no command waits; one that must compile says so.
    "$root/.venv/bin/python" -P -m gpulingo precompile || echo "gpulingo: no kernels were compiled; the first run will do it"
    for each in ${extra:+${kind//,/ }}; do cp -p "$root/.venv/stamp" "$root/.venv/ready-$each" || return; done
    mv -f "$root/.venv/stamp" "$root/.venv/ready-base" && rm -f "$root/.venv-unfinished"
}

# torch_installed VERSION: whether any build of that PyTorch is installed.
torch_installed() {
    local packages=$root/.venv/lib/python*/site-packages
    compgen -G "$packages/torch-$1.dist-info" >/dev/null || compgen -G "$packages/torch-$1+*.dist-info" >/dev/null
}

# choose_torch VERSION: prints which build of PyTorch is installed and its size; without an NVIDIA driver adds the CPU
# build to `first`, by name, or installs it by uv. On Linux x86-64 pip's default is the build for NVIDIA GPUs; the CPU
# build is in a separate index, which pip must be configured to use and uv knows.
choose_torch() {
    local cpu="$1+cpu" size="about 0.3 GB to download, 1.1 GB on disk"
    if [[ $(uname -sm) == "Linux x86_64" ]]; then
        if nvidia_driver; then
            size="about 2.8 GB to download, 5.7 GB on disk: the build for NVIDIA GPUs, since there is a driver"
        elif "${pip[@]}" --retries 1 install --dry-run --no-deps "torch==$cpu" &>/dev/null; then
            first+=("torch==$cpu")
            size+=": the CPU build, since there is no NVIDIA driver"
        else
            echo "gpulingo: PyTorch is large: $size: the CPU build by uv, since there is no NVIDIA driver"
            if uv_installs_torch "$1"; then return; fi
            size="about 2.8 GB to download, 5.7 GB on disk: uv did not reach PyTorch's index, and pip finds the
gpulingo: build for NVIDIA GPUs only; to install the CPU build (0.3 GB) stop this, and start it again with
gpulingo: PIP_EXTRA_INDEX_URL set to the address that PyTorch's install page names for CPU"
        fi
    fi
    echo "gpulingo: PyTorch is large: $size"
}

# uv_installs_torch VERSION: whether uv, which pip brings into a folder that is removed again, installed the CPU build.
uv_installs_torch() (
    tools=$(mktemp -d) && trap 'rm -rf "$tools"' EXIT || exit
    "${pip[@]}" --quiet install --no-compile -c "$root/constraints.txt" --target "$tools" uv &&
        "$tools/bin/uv" pip install --python "$root/.venv/bin/python" --no-deps "torch==$1" --torch-backend=cpu
)

nvidia_driver() {
    command -v nvidia-smi >/dev/null || [[ -e /proc/driver/nvidia ]] ||
        PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q 'libcuda\.so'
}
