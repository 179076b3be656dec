#!/bin/sh
# Makes the files of this folder again: with other keys, which are thrown away when it ends.
# Needs OpenSSL 3. Run in this folder: sh make.sh
set -eu
keys=$(mktemp -d)
trap 'rm -rf "$keys"' EXIT
printf 'what was stamped\n' >stamped.txt

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
digests = sha256, sha384, sha512
signer_digest = sha256
ess_cert_id_alg = sha256
ess_cert_id_chain = no
accuracy = secs:1, millisecs:500
tsa_name = yes
END

# One authority: a root, a signer below it, a request, and the response to it.
new_key() { openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$keys/$1.key"; }
new_key root
openssl req -x509 -new -key "$keys/root.key" -config "$keys/openssl.cnf" -extensions root \
    -subj '/O=Test/CN=Test Root' -days 36500 -out root.pem
new_key tsa
openssl req -new -key "$keys/tsa.key" -config "$keys/openssl.cnf" -subj '/O=Test/CN=Test TSA' -out "$keys/tsa.csr"
openssl x509 -req -in "$keys/tsa.csr" -CA root.pem -CAkey "$keys/root.key" -days 36500 \
    -extfile "$keys/openssl.cnf" -extensions tsa -out "$keys/tsa.pem"
openssl ts -query -data stamped.txt -sha256 -cert -out request.tsq
openssl ts -reply -config "$keys/openssl.cnf" -section authority -queryfile request.tsq \
    -signer "$keys/tsa.pem" -inkey "$keys/tsa.key" -out response.tsr

# One self-signed certificate for each signature scheme; the subject says which.
: >schemes.pem
scheme() {
    name=$1
    shift
    openssl req -x509 -new -key "$keys/scheme.key" -config "$keys/openssl.cnf" -subj "/CN=$name" -days 36500 "$@" \
        >>schemes.pem
}
for curve in P-256 P-384 P-521; do
    openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:$curve -out "$keys/scheme.key"
    for hash in sha1 sha256 sha384 sha512; do scheme "$curve $hash" -$hash; done
done
openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:secp256k1 -out "$keys/scheme.key"
scheme 'secp256k1 sha256' -sha256
openssl genpkey -quiet -algorithm ED25519 -out "$keys/scheme.key"
scheme Ed25519
for bits in 1024 2048 3072; do
    openssl genpkey -quiet -algorithm RSA -pkeyopt rsa_keygen_bits:$bits -out "$keys/scheme.key"
    for hash in md5 sha1 sha256 sha384 sha512; do scheme "RSA-$bits $hash" -$hash; done
done
pss='-sigopt rsa_padding_mode:pss -sigopt'
for hash in sha1 sha256 sha384 sha512; do scheme "RSA-3072 PSS $hash" -$hash $pss rsa_pss_saltlen:digest; done
scheme 'RSA-3072 PSS sha256 salt 0' -sha256 $pss rsa_pss_saltlen:0
scheme 'RSA-3072 PSS sha256 mask sha1' -sha256 $pss rsa_mgf1_md:sha1
openssl genpkey -quiet -algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048 -pkeyopt rsa_pss_keygen_md:sha384 \
    -pkeyopt rsa_pss_keygen_mgf1_md:sha384 -pkeyopt rsa_pss_keygen_saltlen:48 -out "$keys/scheme.key"
scheme 'PSS key sha384' -sha384

# Certificates that all have the same key and issue one another in circles: every path among them is endless.
: >circles.pem
new_key circles
issued() { # SUBJECT ISSUER [LINE OF EXTENSIONS...]
    subject=$1 issuer=$2
    shift 2
    printf '%s\n' "$@" >"$keys/extensions"
    openssl req -x509 -new -key "$keys/circles.key" -config "$keys/openssl.cnf" -subj "/CN=$issuer" -days 36500 \
        -out "$keys/issuer.pem"
    openssl req -new -key "$keys/circles.key" -config "$keys/openssl.cnf" -subj "/CN=$subject" -out "$keys/csr"
    openssl x509 -req -in "$keys/csr" -CA "$keys/issuer.pem" -CAkey "$keys/circles.key" -days 36500 \
        -extfile "$keys/extensions" 2>/dev/null
}
ca='basicConstraints = critical, CA:TRUE'
for subject in A B C D; do
    for issuer in A B C D; do
        [ $subject = $issuer ] || issued $subject $issuer "$ca" >>circles.pem
    done
done

# Certificates with policies; the subject says which, and which policy is demanded (requireExplicitPolicy).
: >policies.pem
demand='policyConstraints = critical, requireExplicitPolicy'
{
    issued 'Root' 'Root' "$ca"
    issued 'CA, 1.2.3, demand 0' 'Root' "$ca" 'certificatePolicies = 1.2.3' "$demand:0"
    issued 'CA, any, demand 0' 'Root' "$ca" 'certificatePolicies = 2.5.29.32.0' "$demand:0"
    issued 'CA, 1.2.3, demand 1' 'Root' "$ca" 'certificatePolicies = 1.2.3' "$demand:1"
    issued 'CA, 1.2.3' 'Root' "$ca" 'certificatePolicies = 1.2.3'
    issued 'CA, none' 'Root' "$ca"
    issued 'CA, none, demand 0' 'Root' "$ca" "$demand:0"
    issued 'CA, 1.2.3, demand 0, no any' 'Root' "$ca" 'certificatePolicies = 1.2.3' "$demand:0" \
        'inhibitAnyPolicy = critical, 0'
    issued 'Signer, 1.2.3' 'CA' 'certificatePolicies = 1.2.3'
    issued 'Signer, 1.2.4' 'CA' 'certificatePolicies = 1.2.4'
    issued 'Signer, any' 'CA' 'certificatePolicies = 2.5.29.32.0'
    issued 'Signer, none' 'CA' 'keyUsage = digitalSignature'
    issued 'Signer, 1.2.3, demand 0' 'CA' 'certificatePolicies = 1.2.3' "$demand:0"
    issued 'Signer, 1.2.3, demand 1' 'CA' 'certificatePolicies = 1.2.3' "$demand:1"
} >>policies.pem
