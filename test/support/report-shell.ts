import { builtText } from '../../src/app/pages/built-pages.ts';

/** The built page of a report. Rejects if it cannot be built. */
export async function shellText(): Promise<string> {
  const shell = await builtText('report.html');
  if ('missing' in shell) throw new Error(shell.missing);
  return shell.text;
}
