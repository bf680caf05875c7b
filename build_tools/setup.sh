#!/usr/bin/env bash
# Installs what is missing of the Debian packages the project needs.
#
#   build_tools/setup.sh        what building and testing need (packages.txt)
#   build_tools/setup.sh --ci   also what the lint and CI scripts need
#                               (packages-ci.txt)
#
# Does nothing when all of them are there. Installing takes root; anybody else
# is told the command. Systems other than Debian 12 are told what is needed and
# nothing is installed there.
set -euo pipefail

readonly here=$(cd "$(dirname "$0")" && pwd)

usage() {
  sed -n '2,/^set/{/^#/s/^# \{0,1\}//p}' "$0"
}

lists=("$here/packages.txt")
case "${1-}" in
  '') ;;
  --ci) lists+=("$here/packages-ci.txt") ;;
  -h | --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

mapfile -t wanted < <(grep -hv '^#' "${lists[@]}")

# "debian 12" or whatever /etc/os-release says.
system() {
  if [[ -r /etc/os-release ]]; then
    (. /etc/os-release && echo "${ID:-unknown} ${VERSION_ID:-}")
  else
    echo "unknown system"
  fi
}

if [[ $(system) != 'debian 12' ]]; then
  echo "setup: this is $(system), not debian 12: nothing is installed." >&2
  echo "setup: the build needs what these Debian packages hold: ${wanted[*]}" >&2
  exit 0
fi

is_installed() {
  [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if ((${#missing[@]} == 0)); then
  exit 0
fi

readonly install=(apt-get install -y --no-install-recommends "${missing[@]}")
if ((EUID != 0)); then
  echo "setup: ${#missing[@]} packages are missing; as root, run:" >&2
  echo "  apt-get update && ${install[*]}" >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive

# Those of the missing packages that the package lists do not know.
unknown() {
  local package
  for package in "${missing[@]}"; do
    apt-cache show --no-all-versions "$package" >/dev/null 2>&1 || echo "$package"
  done
}

echo "setup: installing ${missing[*]}"
updated=no
if [[ -n $(unknown) ]]; then
  apt-get update
  updated=yes
  mapfile -t nowhere < <(unknown)
  if ((${#nowhere[@]} > 0)); then
    echo "setup: no package source of this system has: ${nowhere[*]}" >&2
    echo "setup: expected Debian's 'bookworm main' and 'bookworm-security main'" \
      "(LLVM 22 is in the latter) in /etc/apt/sources.list or sources.list.d" >&2
    exit 1
  fi
fi
if ! "${install[@]}"; then
  if [[ $updated == yes ]]; then
    echo "setup: apt-get could not install all of: ${missing[*]}" >&2
    exit 1
  fi
  # Lists that are too old name files that the mirror no longer has.
  apt-get update
  "${install[@]}"
fi
