import { pageShell } from '../../src/app/research/report-files.ts';

/** The built page of a report. Throws if it cannot be built. */
export function shellText(): string {
  const shell = pageShell();
  if ('missing' in shell) throw new Error(shell.missing);
  return shell.text;
}
