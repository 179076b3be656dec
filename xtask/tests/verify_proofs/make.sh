#!/bin/sh
# Makes `tree` again, a small repository whose proofs all hold, with other keys, which are thrown away when it ends.
# Needs OpenSSL 3. Run in this folder: sh make.sh
set -eu
rm -rf tree
mkdir tree && cd tree
keys=$(mktemp -d)
trap 'rm -rf "$keys"' EXIT

echo 2A >"$keys/serial"
cat >"$keys/openssl.cnf" <<END
[req]
distinguished_name = name
[name]
[root]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[tsa]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
[authority]
serial = $keys/serial
default_policy = 1.3.6.1.4.1.32473.1
digests = sha256, sha512
signer_digest = sha256
ess_cert_id_alg = sha256
accuracy = secs:1
END

# authority NAME INDEPENDENT DESCRIPTION
authority() {
    folder=proof/authorities/$1
    mkdir -p "$folder"
    for key in root tsa; do
        openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$keys/$1.$key.key"
    done
    openssl req -x509 -new -key "$keys/$1.root.key" -config "$keys/openssl.cnf" -extensions root \
        -subj "/O=$1/CN=Root" -days 36500 -out "$folder/root.pem"
    openssl req -new -key "$keys/$1.tsa.key" -config "$keys/openssl.cnf" -subj "/O=$1/CN=Signer" -out "$keys/csr"
    openssl x509 -req -in "$keys/csr" -CA "$folder/root.pem" -CAkey "$keys/$1.root.key" -days 36500 \
        -extfile "$keys/openssl.cnf" -extensions tsa -out "$folder/chain.pem" 2>/dev/null
    cat >"$folder/authority.toml" <<END
name = "$1"
description = "$3"
independent = $2
policies = ["1.3.6.1.4.1.32473.1"]

[[root]]
subject = "CN=Root,O=$1"
sha256 = "$(openssl x509 -in "$folder/root.pem" -outform DER | openssl dgst -sha256 -r | cut -d ' ' -f 1)"
END
}

# stamp NAME FILE PROOF DIGEST
stamp() {
    openssl ts -query -data "$2" "-$4" -cert -out "$3.$1.tsq" 2>/dev/null
    openssl ts -reply -config "$keys/openssl.cnf" -section authority -queryfile "$3.$1.tsq" \
        -signer "proof/authorities/$1/chain.pem" -inkey "$keys/$1.tsa.key" -out "$3.$1.tsr" 2>/dev/null
}

for version in 0.2-rc.1 0.2; do
    mkdir -p "spec/$version/examples" "test-vectors/$version" "proof/$version"
    printf 'The text of %s.\nIt has two lines.\n' "$version" >"spec/$version/text.md"
    printf 'an example\n' >"spec/$version/examples/one.txt"
    printf '{}\n' >"test-vectors/$version/token.json"
    (find "spec/$version" "test-vectors/$version" -type f | LC_ALL=C sort | xargs sha256sum) >"proof/$version/SHA256SUMS"
done
mkdir -p spec/draft
printf 'The draft.\n' >spec/draft/text.md

authority local-0.2-rc.1 false 'made for one stamp'
authority example true 'An example authority'
stamp local-0.2-rc.1 proof/0.2-rc.1/SHA256SUMS proof/0.2-rc.1/SHA256SUMS sha256
stamp example proof/0.2/SHA256SUMS proof/0.2/SHA256SUMS sha256
stamp example spec/0.2/text.md proof/0.2/text.md sha512
rm proof/0.2/text.md.example.tsq

cat >proof/upstream.toml <<END
[[text]]
version = "0.1"
publisher = "Somebody"
bitcoin_block = 7

[[text]]
version = "0.2"
publisher = "Somebody"
sha256 = "$(printf 'The text that Somebody published.\n' | sha256sum | cut -d ' ' -f 1)"
timestamp = 2026-10-29T07:21:55Z
timestamp_by = "An example authority"
END
