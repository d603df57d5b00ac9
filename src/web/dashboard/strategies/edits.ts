import type { StrategyParameters } from '../../../read-model/live/parameters.ts';

/** What a person typed for each parameter; null: the value of the configuration again. */
export type Edits = Readonly<Record<string, string | null>>;

/** A parameter as a person types it. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The edited parameters that differ from those in force. */
export function parametersOf(
  { parameters }: StrategyParameters,
  edits: Edits,
): Readonly<Record<string, unknown>> {
  const changed = parameters.flatMap(({ name, value }) => {
    const edit = edits[name];
    if (edit === undefined || edit === textOf(value)) return [];
    return [[name, edit === null ? null : valueIn(edit, value)] as const];
  });
  return Object.fromEntries(changed);
}

/** Text stays text where the present value is one. What is no JSON is passed on as text: the daemon says what is wrong with it. */
function valueIn(text: string, present: unknown): unknown {
  if (typeof present === 'string') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
