//! What a fault is: a name, the rule that it breaks, and the one place where it acts.

use serde_json::Value;

use super::http::Response;
use super::token::{Parts, Signed};

/// One way to break the text.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) name: String,
    /// The rule that it breaks first of all.
    pub(crate) rule: &'static str,
    /// What the resolver does, in words.
    pub(crate) does: String,
    pub(crate) act: Act,
}

/// What is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Discovery,
    Answer,
    Record,
    Error,
    Policy,
    Changelog,
}

/// Where a fault acts.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Act {
    /// On the members of a document.
    Members(Kind, fn(&mut Value)),
    /// On the bytes of a document or page.
    Bytes(Kind, fn(Vec<u8>) -> Vec<u8>),
    /// On status and headers.
    Head(Kind, fn(&mut Response)),
    /// On what is signed for the third server, where it is a candidate.
    Token(fn(&mut Parts)),
    /// On the signed token of that server.
    Signed(fn(&mut Signed)),
    /// On what is signed for a record.
    RecordToken(fn(&mut Parts)),
    /// On how the resolver decides.
    Quirk(Quirk),
    /// On TLS: the certificate is for another host, and of no authority.
    Certificate,
}

/// Wrong decisions. Each stands where the right one is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quirk {
    PlusKept,
    PlusAfterEscapes,
    DecodedTwice,
    SplitAtSemicolons,
    CutAtEquals,
    SmallEscapesRefused,
    SignedEscapesTaken,
    SurrogatesTaken,
    NamesNotDecoded,
    EmptyPieceUnknown,
    NoValueSkipped,
    BadEscapeKept,
    CutEscapeKept,
    Utf8Replaced,
    NotTrimmed,
    NextLineKept,
    ByteOrderMarkTrimmed,
    SeparatorsTrimmed,
    CountedInNfkc,
    CountedBeforeTrimming,
    CountedBeforeNormalizing,
    CountedInBytes,
    InvisibleRefused,
    ShortestIs4,
    ShortestIs2,
    LongestIs199,
    LongestIs201,
    EmptyIsMissing,
    MissingIsEmpty,
    ControlsTaken,
    LineEndsTaken,
    C1Taken,
    TabsTaken,
    DeleteTaken,
    RepeatedNeedTaken,
    RepeatedConstraintTaken,
    RepeatedEscapedTaken,
    RepeatedEmptyTaken,
    NamelessIgnored,
    UnknownIgnored,
    NamesInAnyCase,
    UnknownBeforeEncoding,
    RepeatedBeforeUnknown,
    MissingBeforeRepeated,
    ValueBeforeMissing,
    LengthBeforeCharacter,
    ValueBeforeLength,
    NothingFoundIs404,
    NoSignIn,
    NoReadOnly,
    NoHandshake,
    NoPayment,
    AnySignIn,
    EmptySignIn,
    SignInInAnyCase,
    ReadOnlyFalse,
    EmptyReadOnly,
    ReadOnlyInAnyCase,
    AnyPayment,
    EmptyPayment,
    PaddedPayment,
    HandshakeZero,
    HandshakeLarge,
    HandshakeLeadingZero,
    HandshakeSign,
    HandshakeFraction,
    EmptyHandshake,
    HandshakeWraps,
    HandshakeLineEnd,
    HandshakeDigits,
    SignInIgnored,
    TargetOf3000,
    LongTargetIs400,
    AnsweredOnce,
    AllCandidates,
    CandidateTwice,
    Rotated,
    ShortLived,
    SignedEachTime,
    TokenHoldsNeed,
    TokenHoldsConstraint,
    TokenHoldsCaller,
    UnusableKey,
    ErrorHoldsNeed,
    ErrorHeaderHoldsNeed,
    DiscoveryElsewhere,
    NoRecordById,
    NoRecordByUrl,
    RecordOfAnother,
    RecordNoQuery404,
    RecordBothTaken,
    RecordRepeatedTaken,
    RecordUnknownTaken,
    RecordBadEscapeKept,
    RecordEmptyId404,
    RecordLongId404,
    RecordIdCharacter404,
    RecordIdLineEnd404,
    RecordLongestIdRefused,
    RecordUrlScheme404,
    RecordUrlDots404,
    RecordUrlCase404,
    RecordUrlHttp404,
    RecordUrlNoPath404,
    RecordUrlLong404,
    RecordUrlEncodedDots404,
    RecordUrlPort404,
    RecordUnknownIdEmpty,
    RecordUnknownUrl400,
    NotModifiedIgnored(Kind),
    AlwaysNotModified(Kind),
    NotModifiedBare(Kind),
    NotModifiedOfAnotherTag(Kind),
    OneTag(Kind),
    RecordSignedEachTime,
    ErrorHoldsShortNeed,
    RateWithoutTime,
    UnavailableWithoutTime,
}
