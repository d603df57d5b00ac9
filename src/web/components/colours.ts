/** A colour as a canvas understands it: `light-dark()` is resolved by an element that uses it. */
export function resolved(box: HTMLElement, styles: CSSStyleDeclaration, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color === '' ? styles.color : color;
}
