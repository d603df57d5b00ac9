import { type Check, refusal } from './context.ts';

/** Nothing on an event that the catalogue does not hold: its limits could not be judged. */
export const knownEvent: Check = ({ facts }) =>
  facts === null ? refusal('unknown_event', 'nothing is known of the event') : null;
