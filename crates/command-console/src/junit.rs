//! A report as JUnit XML, which most CI systems show.

use std::fmt::{self, Write as _};

use crate::visible;

/// A suite of cases; its `Display` is the XML. It holds no times and no host names, so that two runs compare.
#[derive(Debug)]
pub struct Junit {
    /// Name of the suite.
    pub name: String,
    /// What else is known of the run, by name.
    pub properties: Vec<(&'static str, String)>,
    /// In the order of the report.
    pub cases: Vec<Case>,
}

/// A case and how it ended.
#[derive(Debug)]
pub struct Case {
    /// What cases are grouped by.
    pub class: String,
    /// Its name within the class.
    pub name: String,
    /// How it ended.
    pub end: End,
}

/// How a case ended.
#[derive(Debug)]
pub enum End {
    /// As it should.
    Passed,
    /// As it should not: the kind of failure, what was seen, and more about it, a line each.
    Failed(String, String, Vec<String>),
    /// It could not be told: the kind of error, and why. Never counted as passed.
    Error(String, String),
    /// It was not run, or need not hold: why.
    Skipped(String),
}

impl fmt::Display for Junit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = |is: fn(&End) -> bool| self.cases.iter().filter(|case| is(&case.end)).count();
        let counts = format!(
            "tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"",
            self.cases.len(),
            count(|end| matches!(end, End::Failed(..))),
            count(|end| matches!(end, End::Error(..))),
            count(|end| matches!(end, End::Skipped(_)))
        );
        writeln!(f, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(f, "<testsuites {counts}>")?;
        writeln!(f, "  <testsuite name=\"{}\" {counts}>", Text(&self.name))?;
        if !self.properties.is_empty() {
            writeln!(f, "    <properties>")?;
            for (name, value) in &self.properties {
                let value = Text(value);
                writeln!(f, "      <property name=\"{name}\" value=\"{value}\"/>")?;
            }
            writeln!(f, "    </properties>")?;
        }
        for case in &self.cases {
            case.fmt(f)?;
        }
        writeln!(f, "  </testsuite>\n</testsuites>")
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (class, name) = (Text(&self.class), Text(&self.name));
        write!(f, "    <testcase classname=\"{class}\" name=\"{name}\"")?;
        match &self.end {
            End::Passed => return writeln!(f, "/>"),
            End::Failed(kind, message, lines) => {
                let (kind, message) = (Text(kind), Text(message));
                write!(
                    f,
                    ">\n      <failure type=\"{kind}\" message=\"{message}\">"
                )?;
                for (at, line) in lines.iter().enumerate() {
                    let between = if at == 0 { "" } else { "\n" };
                    write!(f, "{between}{}", Text(line))?;
                }
                writeln!(f, "</failure>")?;
            }
            End::Error(kind, message) => {
                let (kind, message) = (Text(kind), Text(message));
                writeln!(f, ">\n      <error type=\"{kind}\" message=\"{message}\"/>")?;
            }
            End::Skipped(why) => writeln!(f, ">\n      <skipped message=\"{}\"/>", Text(why))?,
        }
        writeln!(f, "    </testcase>")
    }
}

/// For an attribute or for text: markup escaped, and what XML cannot hold or nobody would see as `U+XXXX`.
struct Text<'t>(&'t str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in visible(self.0).chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\u{fffe}' | '\u{ffff}' => f.write_char('\u{fffd}')?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_end_is_counted_and_nothing_breaks_the_markup() {
        let case = |name: &str, end| Case {
            class: "a & b".to_owned(),
            name: name.to_owned(),
            end,
        };
        let text = |text: &str| text.to_owned();
        let junit = Junit {
            name: text("\"suite\""),
            properties: vec![("folder", text("<here>"))],
            cases: vec![
                case("1", End::Passed),
                case(
                    "2",
                    End::Failed(text("MUST"), text("a\u{0}b"), vec![text("<x>"), text("y")]),
                ),
                case("3", End::Error(text("none"), text("why"))),
                case("4", End::Skipped(text("\u{ffff}"))),
            ],
        };
        let expected = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>
<testsuites tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">
  <testsuite name=\"&quot;suite&quot;\" tests=\"4\" failures=\"1\" errors=\"1\" skipped=\"1\">
    <properties>
      <property name=\"folder\" value=\"&lt;here&gt;\"/>
    </properties>
    <testcase classname=\"a &amp; b\" name=\"1\"/>
    <testcase classname=\"a &amp; b\" name=\"2\">
      <failure type=\"MUST\" message=\"aU+0000b\">&lt;x&gt;\ny</failure>
    </testcase>
    <testcase classname=\"a &amp; b\" name=\"3\">
      <error type=\"none\" message=\"why\"/>
    </testcase>
    <testcase classname=\"a &amp; b\" name=\"4\">
      <skipped message=\"\u{fffd}\"/>
    </testcase>
  </testsuite>
</testsuites>
";
        assert_eq!(junit.to_string(), expected);
    }
}
