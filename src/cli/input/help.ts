import { type Argument, type Command, Help, type HelpConfiguration, type Option } from 'commander';

const UNITS_MS = [
  [3_600_000, 'h'],
  [60_000, 'm'],
  [1_000, 's'],
  [1, 'ms'],
] as const;

/** `12h`, `5m`, `90s`: in the largest unit that leaves no rest. */
function durationText(ms: number): string {
  const [unit, name] = UNITS_MS.find(([size]) => ms % size === 0) ?? [1, 'ms'];
  return `${ms / unit}${name}`;
}

/** A default as a person would write it: with its unit, which the option's flags name. */
function defaultText(option: Option): string {
  const { defaultValueDescription: words, flags } = option;
  const value: unknown = option.defaultValue;
  if (words !== undefined) return words;
  if (Array.isArray(value)) return value.join(',');
  if (typeof value !== 'number') return String(value);
  if (flags.includes('<duration>')) return durationText(value);
  if (flags.includes('<ms>')) return `${value} ms`;
  return flags.includes('<usdt>') ? `${value} USDT` : String(value);
}

function notesOn(option: Option): readonly string[] {
  const { argChoices, mandatory, defaultValueDescription: words } = option;
  const defaultValue: unknown = option.defaultValue;
  const isShown = defaultValue !== undefined && defaultValue !== '' && typeof defaultValue !== 'boolean';
  const hasDefault = words !== undefined || isShown;
  return [
    ...(mandatory ? ['required'] : []),
    ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
    ...(hasDefault ? [`default: ${defaultText(option)}`] : []),
  ];
}

const withNotes = (description: string, notes: readonly string[]): string =>
  notes.length === 0 ? description : `${description} (${notes.join('; ')})`;

/** How help shows options: defaults with units, what is required, and required options in the usage. */
export const HELP: HelpConfiguration = {
  optionDescription: (option: Option): string => withNotes(option.description, notesOn(option)),
  argumentDescription({ description, argChoices, defaultValue }: Argument): string {
    const notes = [
      ...(argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`]),
      ...(defaultValue === undefined ? [] : [`default: ${String(defaultValue)}`]),
    ];
    return withNotes(description, notes);
  },
  commandUsage(this: Help, command: Command): string {
    const required = command.options.filter(({ mandatory }) => mandatory).map(({ flags }) => flags);
    return [Help.prototype.commandUsage.call(this, command), ...required].join(' ');
  },
};
