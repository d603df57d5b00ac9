/** Names of a fill's event and selection for people. */
import { eventKey } from '../../domain/events.ts';
import { selectionFrom } from '../../domain/selection.ts';
import { selectionName } from '../../domain/selection-name.ts';
import type { ResearchFill, ScenarioResult } from '../result.ts';

/** Functions that need no `this`. */
export interface FillNames {
  readonly eventOf: (fill: ResearchFill) => string;
  readonly selectionOf: (fill: ResearchFill) => string;
}

/** A result names events, but not their teams: a selection is named by its side. */
const UNNAMED = { home: '', away: '', teams: [] };

/** Names by the events of the scenarios; the id where an event is not among them. */
export function namesIn(scenarios: readonly ScenarioResult[]): FillNames {
  const events = new Map(
    scenarios.flatMap(({ events: outcomes }) =>
      outcomes.map(({ event, eventName }) => [eventKey(event), eventName] as const),
    ),
  );
  return {
    eventOf: ({ event }) => events.get(eventKey(event)) ?? event.eventId,
    selectionOf: ({ selectionId }) => {
      const selection = selectionFrom(selectionId);
      return selection === null ? selectionId : selectionName(selection.outcome, UNNAMED);
    },
  };
}
