/** SQL with values between its parts: `sql[0]`, the first value, `sql[1]`, and so on. */
export interface TextMatch {
  readonly sql: readonly string[];
  readonly values: readonly string[];
}
