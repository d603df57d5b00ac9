import { fullSelectionName } from '../../../domain/selection-name.ts';
import { plainText } from '../../../lib/plain-text.ts';
import type { EventStatus } from '../../../read-model/status.ts';

/** Fields that only programs read. */
const OF_PROGRAMS = /(Id|Ids|Uuid|Uuids)$|^(logEvent|sport|version)$/;

/**
 * A line of the log for people: its time, level and message, then its fields without ids. The id of a selection stays: `withNames` puts its name
 * there.
 */
export function shortened(line: string): string {
  const { level, time, msg, selectionId, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const rest = Object.entries(fields)
    .filter(([key]) => !OF_PROGRAMS.test(key))
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  const selection = typeof selectionId === 'string' ? [selectionId] : [];
  const words = [String(time).slice(11, 19), String(level).padEnd(5), String(msg), ...selection, ...rest];
  return plainText(words.join(' '));
}

/** The lines with the names of selections in the place of their ids, as far as these are known. */
export function withNames(lines: readonly string[], events: readonly EventStatus[]): readonly string[] {
  const names = events.flatMap(({ name, selections }) =>
    selections.map(({ selectionId, outcome }) => [selectionId, fullSelectionName(name, outcome)] as const),
  );
  return lines.map((line) => {
    const found = names.find(([id]) => line.includes(` ${id}`));
    return found === undefined ? line : line.replace(found[0], () => plainText(found[1]));
  });
}
