import ts from 'typescript';
import { descendants, importedNames, place } from './project.ts';

/** Names that are a clock, a timer or a source of randomness wherever they occur. */
const BANNED_NAMES = new Set([
  'setTimeout',
  'setInterval',
  'setImmediate',
  'requestIdleCallback',
  'randomUUID',
  'randomUUIDv7',
  'randomBytes',
  'randomInt',
  'randomFill',
  'randomFillSync',
  'getRandomValues',
  'asyncScheduler',
  'asapScheduler',
  'animationFrameScheduler',
]);

/** Members that are banned on one object only. */
const BANNED_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Math: ['random'],
  performance: ['now', 'timeOrigin', 'mark', 'measure', 'toJSON', 'timerify'],
  process: ['hrtime', 'uptime'],
  AbortSignal: ['timeout'],
  Atomics: ['wait', 'waitAsync'],
  Temporal: ['Now'],
};

/** The allowed uses of `Date`: everything that takes its time from an argument. */
const DATE_FUNCTIONS = new Set(['parse', 'UTC']);

const BANNED_MODULES = new Set(['timers', 'timers/promises', 'perf_hooks']);

/** RxJS functions that fall back on the system's timers unless they are given a scheduler. */
const TIMED_RXJS = new Set([
  'interval',
  'timer',
  'delay',
  'debounceTime',
  'auditTime',
  'sampleTime',
  'throttleTime',
  'bufferTime',
  'windowTime',
  'timeout',
  'timeoutWith',
  'timestamp',
  'timeInterval',
]);

/** Every use of a clock, a timer or randomness in a file that should take them from a port, as `file:line: text`. */
export function ambientUses(source: ts.SourceFile): string[] {
  const timed = timedRxjsNames(source);
  const found = descendants(source).filter((node) => isAmbient(node) || isUnscheduled(node, timed));
  const modules = importedNames(source).filter((name) => BANNED_MODULES.has(name.replace(/^node:/, '')));
  return [...found.map(place), ...modules.map((name) => `${source.fileName}: imports ${name}`)];
}

function isAmbient(node: ts.Node): boolean {
  if (ts.isElementAccessExpression(node)) return isBannedMember(node.expression, node.argumentExpression);
  if (ts.isPropertyAccessExpression(node)) return isBannedMember(node.expression, node.name);
  if (!ts.isIdentifier(node)) return false;
  return BANNED_NAMES.has(node.text) || isDateMisuse(node) || isTakenApart(node);
}

function isBannedMember(object: ts.Expression, member: ts.Node): boolean {
  const owner = ts.isPropertyAccessExpression(object) ? object.name : object;
  if (!ts.isIdentifier(owner)) return false;
  const name = ts.isStringLiteralLike(member) || ts.isIdentifier(member) ? member.text : '';
  return BANNED_MEMBERS[owner.text]?.includes(name) ?? false;
}

/** `const { random } = Math` and similar forms. */
function isTakenApart(node: ts.Identifier): boolean {
  const { parent } = node;
  if (!Object.hasOwn(BANNED_MEMBERS, node.text) && node.text !== 'Date') return false;
  return ts.isVariableDeclaration(parent) && parent.initializer === node;
}

function isDateMisuse(node: ts.Identifier): boolean {
  if (node.text !== 'Date') return false;
  const { parent } = node;
  if (ts.isNewExpression(parent)) return (parent.arguments ?? []).length === 0;
  if (ts.isCallExpression(parent)) return parent.expression === node;
  return (
    ts.isPropertyAccessExpression(parent) &&
    parent.expression === node &&
    !DATE_FUNCTIONS.has(parent.name.text)
  );
}

/** Local names of timed functions imported from rxjs. */
function timedRxjsNames(source: ts.SourceFile): Set<string> {
  const specifiers = descendants(source).filter(ts.isImportSpecifier);
  const fromRxjs = specifiers.filter((specifier) => {
    const from = specifier.parent.parent.parent.moduleSpecifier;
    return ts.isStringLiteral(from) && /^rxjs(\/|$)/.test(from.text);
  });
  const timed = fromRxjs.filter((specifier) =>
    TIMED_RXJS.has((specifier.propertyName ?? specifier.name).text),
  );
  return new Set(timed.map((specifier) => specifier.name.text));
}

function isUnscheduled(node: ts.Node, timed: ReadonlySet<string>): boolean {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return false;
  return (
    timed.has(node.expression.text) && !node.arguments.some((given) => /scheduler/i.test(given.getText()))
  );
}
