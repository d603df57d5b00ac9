import { DIRECTIONS } from '../../../domain/selection.ts';
import type { LiveSelection, LiveTrading } from '../../../read-model/live/message.ts';
import { reasonInWords } from '../../../read-model/reason-words.ts';

/** Why a selection is not quoted on both sides, in a few words; empty if it is. `trading` is the state of its event. */
export function notQuotedInWords(
  { missing, quotes, restriction }: Pick<LiveSelection, 'missing' | 'quotes' | 'restriction'>,
  trading: LiveTrading['state'],
): string {
  const state = restriction?.state ?? trading;
  if (quotes.length === 0 && state !== 'active') return state;
  if (missing !== null) return reasonInWords(missing);
  const without = DIRECTIONS.filter((side) => quotes.every(({ direction }) => direction !== side));
  if (without.length === 0) return '';
  return without.length === 1 ? `nothing wanted ${without[0]}` : 'nothing wanted';
}
