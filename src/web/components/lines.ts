/** A line of a chart. */
export interface Line {
  readonly name: string;
  /** One value for each instant; null leaves a gap. */
  readonly values: readonly (number | null)[];
  /** Single points instead of a line. */
  readonly isMarks?: boolean;
}
