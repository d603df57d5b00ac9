/** A row of a list of fills or orders. */
export interface BlotterRow {
  readonly event: string;
  readonly outcome: string;
  readonly direction: string;
  readonly strategy: string | null;
}

/** Whether a row has each of the words somewhere, and is on the side. */
export function isKept(
  { event, outcome, direction, strategy }: BlotterRow,
  text: string,
  side: string,
): boolean {
  if (side !== '' && direction !== side) return false;
  const where = `${event} ${outcome} ${strategy ?? ''}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => where.includes(word));
}
