/** What some work returns, or something else if it fails, whatever the reason. */
export function orElse<Result, Other>(work: () => Result, other: Other): Result | Other {
  try {
    return work();
  } catch {
    return other;
  }
}
