/** What the test that was declared last expects to be found. */
let expected: string[] = [];

/** The findings that a new test expects: `finds` adds to them. */
export function expectations(): string[] {
  expected = [];
  return expected;
}

/** Adds a finding to the test above. */
export const finds = (texts: TemplateStringsArray, ...values: readonly (string | number)[]): void =>
  void expected.push(String.raw({ raw: texts }, ...values));
