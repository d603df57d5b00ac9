/**
 * Writes docs/settings.md from the configuration's schema.
 *
 * Usage: node scripts/settings-docs.ts
 */
import { writeFileSync } from 'node:fs';
import { settingsOf, type Setting } from '../src/app/config/settings.ts';
import { REPEATED } from '../src/app/config/tables.ts';
import { formatted } from './formatted.ts';

const PATH = new URL('../docs/settings.md', import.meta.url);

const HEAD = `# Settings

\`node scripts/settings-docs.ts\` writes this page from the schema of the configuration. [configuration.md](reference/configuration.md)
explains files, environment and reloads; [risk.md](reference/risk.md) lists the limits of the table \`risk\`.

\`systemctl reload\` or SIGHUP changes a setting marked **live** in a running daemon
([details](reference/configuration.md#changing-settings-while-it-runs)). Every other setting needs a restart. Some sections of
\`risk\` are live.`;

/** The whole document, formatted. */
export async function settingsDocument(): Promise<string> {
  const sections = new Map<string, Setting[]>();
  for (const setting of settingsOf()) {
    const name = setting.key.split('.').slice(0, -1).join('.');
    sections.set(name, [...(sections.get(name) ?? []), setting]);
  }
  for (const { name, settings, hasSection } of REPEATED)
    if (!hasSection)
      sections.set(
        name,
        settings.map((setting) => ({ ...setting, key: `${name}.${setting.key}` })),
      );
  const tables = [...sections].map(([name, settings]) => tableOf(name, settings));
  return formatted('settings.md', [HEAD, ...tables].join('\n\n'));
}

function tableOf(name: string, settings: readonly Setting[]): string {
  const head = [
    ['key', 'default', 'allowed', 'what it is', ''],
    ['---', '---', '---', '---', '---'],
  ];
  const rows = settings.map(({ key, fallback, allowed, doc, live, variable }) => [
    `\`${key.slice(name === '' ? 0 : name.length + 1)}\``,
    fallback === '' ? '' : `\`${JSON.stringify(fallback)}\``,
    allowed,
    variable === null ? doc : `${doc} (\`${variable}\`)`,
    live ? '**live**' : '',
  ]);
  const lines = [...head, ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return `## ${titleOf(name)}\n\n${lines.join('\n')}`;
}

/** A table that may be repeated is shown in both forms, as far as it has both. */
function titleOf(name: string): string {
  if (name === '') return 'At the top';
  const repeated = REPEATED.find((each) => each.name === name);
  if (repeated === undefined) return `[${name}]`;
  return repeated.hasSection ? `[${name}] or [[${name}]]` : `[[${name}]]`;
}

if (import.meta.main) writeFileSync(PATH, await settingsDocument());
