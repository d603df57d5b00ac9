import { type Check, refusal } from './context.ts';

/** Applies the trading states of the order's scopes; the kill switch is the strictest of them. */
export const tradingState: Check = ({ state: { state, record }, exposure }) => {
  const why = `by ${record?.by}: ${record?.why}`;
  if (state === 'halted') return refusal('halted', `halted ${why}`, state, 'active');
  if (state === 'reducing' && !exposure.reduces) {
    return refusal('reducing_only', `only orders that reduce the worst case, ${why}`, state, 'active');
  }
  return null;
};
