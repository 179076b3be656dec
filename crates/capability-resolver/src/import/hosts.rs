//! A list of hosts: one a line, `#` begins a comment. Their server files are read when servers are observed.

use capability_resolution::Host;

use super::lines::Line;
use super::{Import, ImportError};
use crate::store::Entry;

pub(super) fn line(import: &mut Import<'_>, line: &Line<'_>) -> Result<(), ImportError> {
    let written = line.text.split('#').next().unwrap_or_default().trim();
    if written.is_empty() {
        return Ok(());
    }
    import.report.entries += 1;
    match Host::from_written(written) {
        Ok(host) => import.push(Entry::Host(host)),
        Err(error) => {
            let at = line.text.find(written).unwrap_or(0);
            let message = format!(
                "not a host: {error}; a list has one host a line, without scheme, port and path"
            );
            import.refuse(line.fault("host-form", message, at, written.len()));
            Ok(())
        }
    }
}
