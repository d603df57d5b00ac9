import type { SportEvent } from '../domain/events.ts';

/** The parts of a selection that a key can be made of. */
interface Keyed {
  readonly marketType: string;
  readonly outcome: string;
}

/** What a template can name, and its value. An empty value is not known. */
const FIELDS: Readonly<Record<string, (selection: Keyed, event: SportEvent) => string>> = {
  sport: (_, { sport }) => sport,
  eventId: (_, { eventId }) => eventId,
  eventName: (_, { eventName }) => eventName,
  competitionName: (_, { competitionName }) => competitionName,
  home: (_, { home }) => home,
  away: (_, { away }) => away,
  startDate: (_, { startTimeMs }) =>
    startTimeMs === null ? '' : new Date(startTimeMs).toISOString().slice(0, 10),
  marketType: ({ marketType }) => marketType,
  outcome: ({ outcome }) => outcome,
};

/** A part of a template: literal text, or the name of a field. */
type Part = { readonly text: string } | { readonly field: string };

/**
 * The name that a price source gives to a selection. Null if the exchange does not tell a field that the name needs: a name with a
 * hole in it could be another selection's.
 */
export type KeyOf = (selection: Keyed, event: SportEvent) => string | null;

/**
 * Reads a template such as `{home} v {away}|{outcome}`. `aliases` replace the exchange's value of a field, as a whole, by the
 * source's. Throws an Error that says what is wrong with the template.
 */
export function keysFrom(template: string, aliases: Readonly<Record<string, string>> = {}): KeyOf {
  const parts = partsOf(template);
  const translate = new Map(Object.entries(aliases));
  return (selection, event) => {
    let key = '';
    for (const part of parts) {
      if ('text' in part) key += part.text;
      else {
        const value = FIELDS[part.field]?.(selection, event) ?? '';
        if (value === '') return null;
        key += translate.get(value) ?? value;
      }
    }
    return key;
  };
}

function partsOf(template: string): readonly Part[] {
  const parts = template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== '')
    .map((part): Part =>
      part.startsWith('{') && part.endsWith('}') ? { field: part.slice(1, -1) } : { text: part },
    );
  for (const part of parts) {
    if ('text' in part) {
      if (/[{}]/.test(part.text)) throw new Error('has a brace without its partner');
    } else if (!Object.hasOwn(FIELDS, part.field)) {
      throw new Error(`has an unknown field {${part.field}}: known are ${Object.keys(FIELDS).join(', ')}`);
    }
  }
  if (!parts.some((part) => 'field' in part))
    throw new Error('names no field, so every selection would have the same key');
  return parts;
}
