import { readinessInWords } from './readiness.ts';
import type { Status } from './status.ts';
import type { RunSummary } from './summary.ts';

/** Whether no order of a run was placed, and so nothing was quoted, not even on one side. */
export const isUnquoted = ({
  orders_placed: placed,
  selections_quoted: quoted,
}: Pick<RunSummary, 'orders_placed' | 'selections_quoted'>): boolean => placed === 0 && quoted === 0;

/** Why nothing is quoted now, in words for people. */
export function whyUnquoted({ quoting, stream }: Pick<Status, 'quoting' | 'stream'>): string {
  if (quoting.readiness.wanted > 0) return readinessInWords(quoting.readiness);
  if (stream !== 'synced') return `the stream is ${stream}`;
  return 'no event was chosen: the market has none that [universe] takes (sports, marketTypes, startWithinMinutes, competitions)';
}
