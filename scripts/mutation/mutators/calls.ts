import ts from 'typescript';
import { removed, replaced, type Change, type Mutator } from './change.ts';

/** Methods, and what takes their place. */
const TWINS: Readonly<Record<string, string>> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  round: 'floor',
  trunc: 'ceil',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  find: 'findLast',
  findLast: 'find',
  shift: 'pop',
  pop: 'shift',
  push: 'unshift',
  add: 'delete',
};

/** Methods whose call can be forgotten: the object itself has the same type. */
const FORGETTABLE: ReadonlySet<string> = new Set([
  'filter',
  'slice',
  'sort',
  'toSorted',
  'reverse',
  'toReversed',
  'trim',
  'toLowerCase',
  'flat',
  'distinctUntilChanged',
  'finally',
  'catch',
]);

/** Functions of `Math` that a value can go without. */
const PLAIN: ReadonlySet<string> = new Set(['abs', 'floor', 'ceil', 'round', 'trunc']);

/** A method with its twin in its place, a call that is forgotten, a step of a pipe that is left out. */
export const call: Mutator = (node, source) => {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression: object, name } = node.expression;
  const changes: Change[] = [];
  const twin = Object.hasOwn(TWINS, name.text) ? TWINS[name.text] : undefined;
  if (twin !== undefined) changes.push(replaced(name, source, twin, 'other method'));
  if (FORGETTABLE.has(name.text))
    changes.push(replaced(node, source, object.getText(source), 'forgotten call'));
  const [first] = node.arguments;
  if (first !== undefined && PLAIN.has(name.text) && object.getText(source) === 'Math')
    changes.push(replaced(node, source, `(${first.getText(source)})`, 'forgotten call'));
  if (name.text === 'pipe' && node.arguments.length > 1)
    changes.push(...node.arguments.map((_, at) => removed(node.arguments, at, source, 'left-out step')));
  return changes;
};
