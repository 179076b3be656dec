//! The store as answers read it: open, opened again where it was gone, and never made.

use std::sync::Mutex;

use crate::lock;
use crate::store::{Store, StoreError};

/// How a store is opened.
pub type Open = Box<dyn Fn() -> Result<Box<dyn Store>, StoreError> + Send + Sync>;

/// A state of the store. Two that are equal hold the same; what was read of one says nothing of a store that was opened
/// anew, whose servers may have other ids.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Version {
    opened: u32,
    changes: u64,
}

impl Version {
    /// Whether both are of one store, opened once.
    #[must_use]
    pub fn is_of_same_store(self, other: Self) -> bool {
        self.opened == other.opened
    }

    /// The same store after a change.
    #[cfg(test)]
    pub(super) fn changed(self) -> Self {
        Self {
            changes: self.changes + 1,
            ..self
        }
    }
}

/// A store that may go and come back.
pub struct Reader {
    open: Open,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    store: Option<Box<dyn Store>>,
    opened: u32,
}

impl Reader {
    /// A reader of a store that is opened like this.
    #[must_use]
    pub fn new(open: Open) -> Self {
        Self {
            open,
            state: Mutex::default(),
        }
    }

    /// The state of the store at this moment.
    ///
    /// # Errors
    ///
    /// [`StoreError`] if it cannot be read.
    pub fn version(&self) -> Result<Version, StoreError> {
        self.with(|version, _| Ok(version))
    }

    /// Reads the store as it is at this moment.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn with<T>(
        &self,
        read: impl FnOnce(Version, &dyn Store) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut state = lock::lock(&self.state);
        let State { store, opened } = &mut *state;
        let open = match store {
            Some(store) => &**store,
            None => {
                *opened = opened.wrapping_add(1);
                &**store.insert((self.open)()?)
            }
        };
        let result = open.version().and_then(|changes| {
            let version = Version {
                opened: *opened,
                changes,
            };
            read(version, open)
        });
        if result.as_ref().is_err_and(|error| !is_passing(error)) {
            *store = None;
        }
        result
    }

    /// The store once more, for one that reads for long.
    ///
    /// # Errors
    ///
    /// [`StoreError`].
    pub fn another(&self) -> Result<Box<dyn Store>, StoreError> {
        (self.open)()
    }
}

/// Whether the same connection will do when it is asked again.
fn is_passing(error: &StoreError) -> bool {
    matches!(error, StoreError::Busy(_))
}
