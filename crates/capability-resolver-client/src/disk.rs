//! What outlives the process: sealed files in a folder of the user's own.
//!
//! The name of a file is a keyed hash of what it is about, and its bytes are encrypted with a key that follows from the
//! same. Who reads the folder learns neither a need nor which servers were named for it, unless they guess the need
//! word for word. A file that was damaged, or is not ours, cannot be opened, and counts as none.

use std::fs::{self, DirBuilder, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use ring::hmac::{self, HMAC_SHA256};
use ring::rand::{SecureRandom as _, SystemRandom};
use tempfile::{Builder, NamedTempFile};

/// The name of the file with the folder's key.
const KEY_FILE: &str = "key";
const KEY_BYTES: usize = 32;
/// One byte more: a longer file is no key.
const KEY_LIMIT: u64 = 33;
/// How names of files begin that are being written.
const NEW: &str = ".new-";
/// The longest file that is read: an answer of 262,144 bytes, of which each may take six in JSON, and what is kept beside.
const MAX_BYTES: u64 = 2_097_152;
/// How many files are kept of each kind; the oldest go first.
const MAX_FILES: usize = 512;
/// After how many written files the old ones are looked for again.
const SWEEP_EVERY: u32 = 64;

/// A folder of sealed files.
#[derive(Debug)]
pub(crate) struct Disk {
    folder: PathBuf,
    key: Key,
    written: AtomicU32,
}

/// What a file is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// What is known of a resolver.
    Resolver,
    /// An answer to a need.
    Answer,
}

impl Kind {
    const ALL: [Self; 2] = [Self::Resolver, Self::Answer];

    fn prefix(self) -> &'static str {
        match self {
            Self::Resolver => "resolver-",
            Self::Answer => "answer-",
        }
    }

    /// After this time nothing in a file of the kind is of use.
    fn life(self) -> Duration {
        match self {
            Self::Resolver => Duration::from_secs(86_400),
            Self::Answer => Duration::from_secs(3_600),
        }
    }
}

impl Disk {
    /// Opens a folder, and makes it if there is none. The folder's old files are removed.
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        make_folder(folder)?;
        let disk = Self {
            folder: folder.to_owned(),
            key: Key::of_folder(folder)?,
            written: AtomicU32::new(0),
        };
        disk.sweep(SystemTime::now());
        Ok(disk)
    }

    /// What was kept about this; `None` for anything that cannot be read, opened or found.
    pub(crate) fn get(&self, kind: Kind, about: &str) -> Option<Vec<u8>> {
        let mut sealed = Vec::new();
        let file = File::open(self.path(kind, about)).ok()?;
        file.take(MAX_BYTES).read_to_end(&mut sealed).ok()?;
        self.key.open(kind, about, sealed)
    }

    /// Keeps this, in place of what was kept about the same.
    pub(crate) fn put(&self, kind: Kind, about: &str, bytes: Vec<u8>) -> io::Result<()> {
        let sealed = self.key.seal(kind, about, bytes)?;
        let mut file = new_file(&self.folder)?;
        file.write_all(&sealed)?;
        // Not synchronized: a file that a crash leaves half written cannot be opened, and counts as none.
        file.persist(self.path(kind, about))
            .map_err(|error| error.error)?;
        if self.written.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY == SWEEP_EVERY - 1 {
            self.sweep(SystemTime::now());
        }
        Ok(())
    }

    fn path(&self, kind: Kind, about: &str) -> PathBuf {
        let name: String = self.key.derive("name", kind, about).as_ref()[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self.folder.join([kind.prefix(), &name].concat())
    }

    /// Removes what is too old to be of use, and the oldest where there is too much. What cannot be removed stays.
    fn sweep(&self, now: SystemTime) {
        let Ok(entries) = fs::read_dir(&self.folder) else {
            return;
        };
        let files: Vec<_> = entries
            .flatten()
            .filter_map(|entry| {
                let changed = entry.metadata().ok()?.modified().ok()?;
                let name = entry.file_name().into_string().ok()?;
                Some((changed, name))
            })
            .collect();
        let is_old =
            |changed: SystemTime, life| now.duration_since(changed).is_ok_and(|age| age > life);
        let remove = |name: &str| drop(fs::remove_file(self.folder.join(name)));
        for kind in Kind::ALL {
            let mut of_kind: Vec<_> = files
                .iter()
                .filter(|(_, name)| name.starts_with(kind.prefix()))
                .collect();
            of_kind.sort_by(|(one, _), (other, _)| other.cmp(one));
            for (at, (changed, name)) in of_kind.iter().enumerate() {
                if at >= MAX_FILES || is_old(*changed, kind.life()) {
                    remove(name);
                }
            }
        }
        // What a process left that ended while it wrote.
        for (changed, name) in &files {
            if name.starts_with(NEW) && is_old(*changed, Duration::from_secs(60)) {
                remove(name);
            }
        }
    }
}

/// The key of a folder: 32 random bytes. Without it the files are noise.
struct Key(hmac::Key);

impl Key {
    /// Reads the key, or makes one where there is none that can be used.
    fn of_folder(folder: &Path) -> io::Result<Self> {
        let path = folder.join(KEY_FILE);
        if let Some(key) = Self::read(&path) {
            return Ok(key);
        }
        let mut bytes = [0; KEY_BYTES];
        random(&mut bytes)?;
        let mut file = new_file(folder)?;
        file.write_all(&bytes)?;
        match file.persist_noclobber(&path) {
            Ok(_) => {}
            // Another process was faster.
            Err(_) if Self::read(&path).is_some() => {}
            // A key that others may read, or that is none, protects nothing.
            Err(error) => {
                error.file.persist(&path).map_err(|error| error.error)?;
            }
        }
        Self::read(&path).ok_or_else(|| io::Error::other("the key cannot be read back"))
    }

    fn read(path: &Path) -> Option<Self> {
        let mut bytes = Vec::with_capacity(KEY_BYTES + 1);
        let file = File::open(path).ok()?;
        let private = is_private(&file.metadata().ok()?);
        file.take(KEY_LIMIT).read_to_end(&mut bytes).ok()?;
        (private && bytes.len() == KEY_BYTES).then(|| Self(hmac::Key::new(HMAC_SHA256, &bytes)))
    }

    fn derive(&self, purpose: &str, kind: Kind, about: &str) -> hmac::Tag {
        let mut context = hmac::Context::with_key(&self.0);
        // No purpose and no prefix has a space.
        for part in [purpose, " ", kind.prefix(), " ", about] {
            context.update(part.as_bytes());
        }
        context.sign()
    }

    fn cipher(&self, kind: Kind, about: &str) -> Option<LessSafeKey> {
        let key = self.derive("seal", kind, about);
        UnboundKey::new(&CHACHA20_POLY1305, key.as_ref())
            .ok()
            .map(LessSafeKey::new)
    }

    /// A random nonce, then the ciphertext with its tag.
    fn seal(&self, kind: Kind, about: &str, mut bytes: Vec<u8>) -> io::Result<Vec<u8>> {
        let failed = || io::Error::other("the entry cannot be sealed");
        let mut nonce = [0; NONCE_LEN];
        random(&mut nonce)?;
        self.cipher(kind, about)
            .ok_or_else(failed)?
            .seal_in_place_append_tag(
                Nonce::assume_unique_for_key(nonce),
                Aad::empty(),
                &mut bytes,
            )
            .map_err(|_| failed())?;
        Ok([nonce.as_slice(), &bytes].concat())
    }

    fn open(&self, kind: Kind, about: &str, mut sealed: Vec<u8>) -> Option<Vec<u8>> {
        let (nonce, bytes) = sealed.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let opened = self
            .cipher(kind, about)?
            .open_in_place(nonce, Aad::empty(), bytes)
            .ok()?;
        Some(opened.to_vec())
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(..)")
    }
}

fn random(bytes: &mut [u8]) -> io::Result<()> {
    SystemRandom::new()
        .fill(bytes)
        .map_err(|_| io::Error::other("the system gives no random bytes"))
}

/// A file that only its user may read, under a name that nobody knows.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    // The mode is 0600 unless one is asked for.
    Builder::new().prefix(NEW).tempfile_in(folder)
}

fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

#[cfg(unix)]
fn is_private(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    metadata.permissions().mode() & 0o077 == 0
}

/// Other systems have no such modes; a user's folders are their own there.
#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const ABOUT: &str = "https://resolver.example need=a%20b";

    fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
        let mut files: Vec<_> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let name = entry.file_name().into_string().unwrap();
                (name, fs::read(entry.path()).unwrap())
            })
            .collect();
        files.sort();
        files
    }

    fn put(disk: &Disk, about: &str, bytes: &[u8]) {
        disk.put(Kind::Answer, about, bytes.to_vec()).unwrap();
    }

    #[test]
    fn what_is_put_is_there_for_the_next_process() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/b");
        put(&Disk::open(&path).unwrap(), ABOUT, b"one");
        put(&Disk::open(&path).unwrap(), ABOUT, b"two");
        let disk = Disk::open(&path).unwrap();
        assert_eq!(disk.get(Kind::Answer, ABOUT).as_deref(), Some(&b"two"[..]));
        assert_eq!(disk.get(Kind::Resolver, ABOUT), None);
        assert_eq!(disk.get(Kind::Answer, "https://resolver.example"), None);
        assert_eq!(files(&path).len(), 2);
    }

    // r[client.cache-private]
    #[cfg(unix)]
    #[test]
    fn only_the_user_may_read_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        put(&Disk::open(&path).unwrap(), ABOUT, b"one");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&path), 0o700);
        for (name, _) in files(&path) {
            assert_eq!(mode(&path.join(&name)), 0o600, "{name}");
        }
        // A key that was laid open is replaced, and what it sealed is gone.
        let key = path.join(KEY_FILE);
        fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).unwrap();
        assert_eq!(Disk::open(&path).unwrap().get(Kind::Answer, ABOUT), None);
        assert_eq!(mode(&key), 0o600);
    }

    #[test]
    fn every_damage_makes_it_none() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::open(folder.path()).unwrap();
        put(&disk, ABOUT, b"one");
        let path = disk.path(Kind::Answer, ABOUT);
        let whole = fs::read(&path).unwrap();
        for length in 0..whole.len() {
            fs::write(&path, &whole[..length]).unwrap();
            assert_eq!(disk.get(Kind::Answer, ABOUT), None, "{length}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 1;
            fs::write(&path, damaged).unwrap();
            assert_eq!(disk.get(Kind::Answer, ABOUT), None, "{at}");
        }
        // Nor is a file good under another name.
        fs::write(disk.path(Kind::Answer, "other"), &whole).unwrap();
        assert_eq!(disk.get(Kind::Answer, "other"), None);
        fs::write(&path, &whole).unwrap();
        assert!(disk.get(Kind::Answer, ABOUT).is_some());
        for key in [&b""[..], b"short", &[7; KEY_BYTES + 1]] {
            fs::write(folder.path().join(KEY_FILE), key).unwrap();
            let disk = Disk::open(folder.path()).unwrap();
            assert_eq!(disk.get(Kind::Answer, ABOUT), None);
            put(&disk, ABOUT, b"two");
            assert!(
                Disk::open(folder.path())
                    .unwrap()
                    .get(Kind::Answer, ABOUT)
                    .is_some()
            );
        }
    }

    #[test]
    fn old_files_and_too_many_are_removed() {
        let folder = tempfile::tempdir().unwrap();
        let disk = Disk::open(folder.path()).unwrap();
        for at in 0..MAX_FILES + 70 {
            put(&disk, &at.to_string(), b"one");
        }
        fs::write(folder.path().join(".new-left"), b"").unwrap();
        fs::write(folder.path().join("not-ours"), b"").unwrap();
        disk.sweep(SystemTime::now());
        assert_eq!(files(folder.path()).len(), MAX_FILES + 3);
        disk.sweep(SystemTime::now() + Duration::from_secs(61));
        assert_eq!(files(folder.path()).len(), MAX_FILES + 2);
        disk.sweep(SystemTime::now() + Duration::from_secs(3_700));
        let left: Vec<_> = files(folder.path())
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(left, [KEY_FILE, "not-ours"]);
    }
}
