#!/usr/bin/env bash
# Makes the repository that the tests of the git-ancestry witness look at, with git and ssh-keygen
# themselves, so that what JGit reads and verifies was written and signed by the real ones. The keys
# are new each time and are not kept. Run it in this folder; needs git 2.34 or newer.
set -euo pipefail
here=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for key in release stranger retired; do
  ssh-keygen -q -t ed25519 -N '' -C "$key" -f "$work/$key"
done
{
  echo "release@acme.example namespaces=\"git\" $(cut -d' ' -f1,2 "$work/release.pub")"
  echo "retired@acme.example $(cut -d' ' -f1,2 "$work/retired.pub")"
} > allowed_signers
cut -d' ' -f1,2 "$work/retired.pub" > revoked_keys

export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=ada@acme.example
export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@acme.example
clock=1767225600
tick() { clock=$((clock + 60)); export GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000"; }
git init -q -b main "$work/repo"
cd "$work/repo"
git config gpg.format ssh
git config gpg.ssh.allowedSignersFile "$here/allowed_signers"
signed() { tick; git -c user.signingKey="$work/$1" commit -q -S -m "$2"; }
unsigned() { tick; git commit -q -m "$1"; }
declare -A names
name() { names[$1]=$(git rev-parse "${2:-HEAD}"); }

mkdir -p app deploy .github
echo one > app/main.txt; echo replicas: 2 > deploy/prod.yaml; echo ci > .github/ci.yml
ln -s /etc/passwd deploy/link
git add -A; unsigned "begin"; name unsigned
echo two >> app/main.txt; git add -A; signed release "change the application"; name signed
git verify-commit HEAD
git checkout -q -b feature
echo replicas: 20 > deploy/prod.yaml; git add -A; signed stranger "more replicas"; name stranger
git checkout -q -b linked main
rm deploy/link; ln -s /etc/shadow deploy/link; git add -A; signed release "another link"; name relinked
git checkout -q -b moded main
chmod +x deploy/prod.yaml; git add -A; signed release "another mode"; name remoded
git checkout -q -b retired main
echo three >> app/main.txt; git add -A; signed retired "by a retired key"; name retired
git checkout -q main
echo four > app/other.txt; git add -A; signed release "one more"; name tip
name first main~2


# the same signature over other words, and a signature of another kind
forge() { name "$1" "$(git cat-file commit refs/heads/main | "${@:2}" | git hash-object -t commit -w --stdin)"; git branch "$1" "${names[$1]}"; }
forge forged sed 's/^one more$/one more thing/'
forge pgp sed 's/SSH SIGNATURE/PGP SIGNATURE/'
# signed with an allowed key, for files and not for git
tree=$(git rev-parse 'refs/heads/main^{tree}')
body="tree $tree
parent $(git rev-parse refs/heads/main)
author Ada <ada@acme.example> $clock +0000
committer Ada <ada@acme.example> $clock +0000"
printf '%s\n\nfor another purpose\n' "$body" > "$work/payload"
ssh-keygen -q -Y sign -n file -f "$work/retired" "$work/payload" 2>/dev/null
{ printf '%s\n' "$body"; sed -e '1s/^/gpgsig /' -e '2,$s/^/ /' "$work/payload.sig"; printf '\nfor another purpose\n'; } > "$work/object"
name purpose "$(git hash-object -t commit -w --stdin < "$work/object")"; git branch purpose "${names[purpose]}"
name blob refs/heads/main:app/main.txt

git bundle create -q "$here/facts.bundle" --branches
for n in "${!names[@]}"; do echo "$n=${names[$n]}"; done | sort > "$here/commits.properties"
