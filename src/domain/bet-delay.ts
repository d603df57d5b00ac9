/** Whether only orders wait that match at once, by the names that the source gives to how takers wait; null: it names none. */
export const isPassiveDelay = (betDelayModels: readonly string[] | null): boolean =>
  betDelayModels?.includes('PASSIVE') ?? false;
