/** A frame of a stack: `at name (file:///a/demo.ts:12:3)` or `at /a/demo.ts:12:3`. */
const FRAME = /^\s*at (?:.*\()?(.+?):(\d+)(?::\d+)?\)?$/;

/**
 * Where an error was thrown, such as `demo.ts:12`: the innermost frame in a folder, which ends in `/`, else the innermost frame.
 * Null if the value carries no stack.
 */
export function thrownAt(error: unknown, folder: string | null): string | null {
  const stack = stackOf(error);
  if (stack === null) return null;
  const frames = stack.split('\n').flatMap((line) => {
    const [, file = '', at = ''] = FRAME.exec(line) ?? [];
    return file === '' ? [] : [{ file: file.replace(/^file:\/\//, ''), line: at }];
  });
  const path = folder?.replace(/^file:\/\//, '') ?? null;
  const inside = path === null ? undefined : frames.find(({ file }) => file.startsWith(path));
  const found = inside ?? frames[0];
  return found === undefined ? null : `${nameOf(found.file)}:${found.line}`;
}

/** Reading a stack runs code of whoever made the error. */
function stackOf(error: unknown): string | null {
  try {
    const stack: unknown = error instanceof Error ? error.stack : null;
    return typeof stack === 'string' ? stack : null;
  } catch {
    return null;
  }
}

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1).replace(/\?.*$/, '');
