/**
 * The tables of state machines: each pair of a state and an event is listed with what follows.
 *
 * @example
 * const TABLE: StateTable<'open' | 'shut', 'close'> = {
 *   open: { close: to('shut') },
 *   shut: { close: ignore('it is shut already') },
 * };
 */
export type StateTable<S extends string, E extends string> = Readonly<
  Record<S, Readonly<Record<E, Verdict<S>>>>
>;

/**
 * A state's response to an event: move (perhaps to itself), ignore for a stated reason, or illegal, which is a bug of ours.
 * `alarm` marks an event that contradicts an earlier message of the exchange: it is ignored, and a person checks it.
 */
export type Verdict<S extends string> =
  | { readonly kind: 'move'; readonly to: S }
  | { readonly kind: 'ignore'; readonly reason: string; readonly alarm: boolean }
  | { readonly kind: 'illegal'; readonly reason: string };

export const to = <S extends string>(state: S): Verdict<S> => ({ kind: 'move', to: state });
export const ignore = (reason: string): Verdict<never> => ({ kind: 'ignore', reason, alarm: false });
export const alarm = (reason: string): Verdict<never> => ({ kind: 'ignore', reason, alarm: true });
export const illegal = (reason: string): Verdict<never> => ({ kind: 'illegal', reason });
