import { readFileSync } from 'node:fs';
import { format, type OxfmtConfig } from 'oxfmt';

/** The text of a file as `npm run fix` would leave it. Throws an Error when the formatter cannot read the text. */
export async function formatted(name: string, text: string): Promise<string> {
  const settings = readFileSync(new URL('../.oxfmtrc.json', import.meta.url), 'utf8');
  const { ignorePatterns: _, ...options } = JSON.parse(settings) as OxfmtConfig;
  const { code, errors } = await format(name, text, options);
  if (errors.length > 0)
    throw new Error(`${name} cannot be formatted: ${errors.map(({ message }) => message).join('; ')}`);
  return code;
}
