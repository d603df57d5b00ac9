import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import type { LogEvent } from '../../src/ports/log-events/event.ts';
import { type FieldOf, LOG_EVENTS, logEventOf, type LogMessage } from '../../src/ports/log-events/index.ts';
import { descendants, parse, PRODUCT_MODULES, read } from '../tidy/project.ts';

const EVENTS = Object.entries<LogEvent>(LOG_EVENTS);
/** Messages of plugins are not in our code. */
const FREE = '{text}';

/** The message with a word in place of each that differs. */
const sample = (message: string): string => message.replaceAll(/\{\w+\}/g, 'x');

/** A template with less fixed text would fit anything. */
const LEAST_FIXED = 5;

interface Texts {
  readonly literals: ReadonlySet<string>;
  readonly templates: readonly RegExp[];
}

/** The texts of the product, without the catalogue. */
function textsOfProduct(): Texts {
  const files = PRODUCT_MODULES.filter((path) => !path.startsWith('src/ports/log-events/'));
  const nodes = files.flatMap((file) => descendants(parse(file, read(file))));
  return {
    literals: new Set(nodes.flatMap((node) => (ts.isStringLiteralLike(node) ? [node.text] : []))),
    templates: nodes.filter(ts.isTemplateExpression).flatMap(patternsOf),
  };
}

function patternsOf({ head, templateSpans }: ts.TemplateExpression): readonly RegExp[] {
  const fixed = [head.text, ...templateSpans.map(({ literal }) => literal.text)];
  if (fixed.join('').length < LEAST_FIXED) return [];
  const escaped = fixed.map((text) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return [new RegExp(`^${escaped.join('.+')}$`)];
}

const TEXTS = textsOfProduct();

const isIn = ({ literals, templates }: Texts, message: string): boolean =>
  literals.has(message) || templates.some((template) => template.test(message));

/** The type checker compares these: each `true` is what it finds. */
const TYPES: {
  readonly knownMessage: 'heartbeat lost' extends LogMessage<'error'> ? true : false;
  readonly knownPattern: 'the strategy mine is off since an earlier run; only a person resumes' extends LogMessage<'error'>
    ? true
    : false;
  readonly unknownMessage: 'heartbeat last' extends LogMessage<'error'> ? false : true;
  readonly wrongLevel: 'heartbeat lost' extends LogMessage<'warn'> ? false : true;
  readonly textOfPlugin: string extends LogMessage<'info'> ? false : true;
  readonly knownField: 'reason' extends FieldOf<'heartbeat lost'> ? true : false;
  readonly unknownField: 'cause' extends FieldOf<'heartbeat lost'> ? false : true;
} = {
  knownMessage: true,
  knownPattern: true,
  unknownMessage: true,
  wrongLevel: true,
  textOfPlugin: true,
  knownField: true,
  unknownField: true,
};

describe('the catalogue of log lines', () => {
  it('refuses, at compile time, messages, levels and fields that it does not name', () => {
    expect(Object.values(TYPES)).not.toContain(false);
  });

  it('names no line that the code does not write', () => {
    const unused = EVENTS.filter(([, { message }]) => message !== FREE && !isIn(TEXTS, sample(message)));
    expect(unused.map(([name]) => name)).toEqual([]);
  });

  it('would find a line that the code no longer writes', () => {
    expect(isIn(TEXTS, 'a message of no code')).toBe(false);
    expect(isIn(TEXTS, 'heartbeat lost')).toBe(true);
  });

  it('finds the name of each line by its level and message', () => {
    const named = EVENTS.filter(([, { message }]) => message !== FREE);
    const found = named.map(([, { level, message }]) => logEventOf(level, sample(message)));
    expect(found).toEqual(named.map(([name]) => name));
    expect(logEventOf('info', 'a strategy’s own words')).toBeNull();
    expect(logEventOf('debug', 'heartbeat lost')).toBeNull();
  });

  it.each(EVENTS)('%s has a stable form: name, sentence, distinct fields', (name, event) => {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(event.meaning).toMatch(/^[A-Z`].*\.$/);
    expect(new Set(event.fields).size).toBe(event.fields.length);
    expect(event.fields).not.toContain('logEvent');
  });
});
