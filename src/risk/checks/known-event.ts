import { type Check, refusal } from './context.ts';

/** Refuses orders on an event that is not in the catalogue: its limits could not be judged. */
export const knownEvent: Check = ({ facts }) =>
  facts === null ? refusal('unknown_event', 'the event is not in the catalogue') : null;
