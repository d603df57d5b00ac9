/**
 * How the exchange matches an order. `make_and_take` takes what is there, and rests with the remainder. `take_only` takes and
 * never rests. `dark` is `make_and_take` with a remainder that others do not see.
 */
export const EXCHANGE_MODES = ['make_and_take', 'take_only', 'dark'] as const;

export type ExchangeMode = (typeof EXCHANGE_MODES)[number];

/** Orders of these modes are meant to rest: to be post-only, as the exchange has no mode for that. */
export const RESTING_MODES: readonly ExchangeMode[] = ['make_and_take', 'dark'];

/** The mode of an intent or record; those that name none mean `make_and_take`. */
export const modeOf = ({ mode }: { readonly mode?: ExchangeMode }): ExchangeMode => mode ?? 'make_and_take';
