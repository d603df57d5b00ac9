import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles, read, ROOT } from './project.ts';

const DOCUMENTS = projectFiles('*.md', 'docs/**/*.md', 'src/**/*.md');

/** The document without its blocks of code. */
const prose = (text: string): string => text.replace(/^ *```[\s\S]*?^ *```$/gm, '');

/** The anchor of a heading, by the rules of Git hosts. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (file: string): string[] =>
  Array.from(prose(read(file)).matchAll(/^#+ (.*)$/gm), ([, heading]) => anchorOf(heading as string));

/** The links of a document to a file or a heading of this project that do not exist. */
function brokenLinks(file: string, text: string): string[] {
  const links = Array.from(prose(text).matchAll(/\]\(([^)\s]+)\)/g), ([, link]) => link as string);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [target, anchor] = link.split('#') as [string, string | undefined];
      const found = target === '' ? file : path.join(path.dirname(file), target);
      if (!existsSync(path.join(ROOT, found))) return true;
      return anchor !== undefined && !anchorsOf(found).includes(anchor);
    })
    .map((link) => `${file}: ${link}`);
}

/** The paths of this project in backticks that do not exist. Patterns and placeholders are ignored. */
function missingPaths(file: string, text: string): string[] {
  const paths = Array.from(
    prose(text).matchAll(/`((?:src|test|scripts|docs|bench|config|systemd|strategies)\/[^`\s*<>:,]*)`/g),
    ([, found]) => found as string,
  );
  return paths.filter((found) => !existsSync(path.join(ROOT, found))).map((found) => `${file}: ${found}`);
}

describe('documents', () => {
  it('name paths that exist', () => {
    expect(DOCUMENTS.flatMap((file) => missingPaths(file, read(file)))).toEqual([]);
  });

  it.each([
    ['`src/missing.ts`', 1],
    ['`src/app` and `test/tidy/links.test.ts`', 0],
    ['`src/*/missing.ts`', 0],
  ])('the search for missing paths reads %j', (text, count) => {
    expect(missingPaths('README.md', text)).toHaveLength(count);
  });

  it('link to files and headings that exist', () => {
    expect(DOCUMENTS.length).toBeGreaterThan(20);
    expect(DOCUMENTS.flatMap((file) => brokenLinks(file, read(file)))).toEqual([]);
  });

  it.each([
    ['[a](missing.md)', 1],
    ['[a](README.md#nowhere)', 1],
    ['[a](#nowhere)', 1],
    ['[a](README.md#see-it-work-in-a-minute) and [b](LICENSE)', 0],
    ['[a](https://example.com/missing)', 0],
    ['```\n[a](missing.md)\n```', 0],
  ])('the search for broken links reads %j', (text, count) => {
    expect(brokenLinks('README.md', text)).toHaveLength(count);
  });
});
