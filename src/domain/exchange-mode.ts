/**
 * How the exchange matches an order. `make_and_take` takes the available stake, and its remainder rests. `take_only` takes
 * and never rests. `dark` is `make_and_take` with a remainder that others do not see.
 */
export const EXCHANGE_MODES = ['make_and_take', 'take_only', 'dark'] as const;

export type ExchangeMode = (typeof EXCHANGE_MODES)[number];

/** Orders of these modes are meant to rest. The exchange has no post-only mode, so they may still take. */
export const RESTING_MODES: readonly ExchangeMode[] = ['make_and_take', 'dark'];

/** The mode of an intent or record; `make_and_take` if it names none. */
export const modeOf = ({ mode }: { readonly mode?: ExchangeMode }): ExchangeMode => mode ?? 'make_and_take';
