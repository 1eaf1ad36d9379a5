/** The element of index.html with this id. */
export function find<Type extends HTMLElement = HTMLElement>(id: string): Type {
  const element = document.getElementById(id);
  if (!element) throw new Error(`index.html has no element with the id ${id}`);
  return element as Type;
}

/** Creates an element at the end of another one. */
export function append(parent: HTMLElement, name: string, text = ""): HTMLElement {
  const element = parent.appendChild(document.createElement(name));
  element.textContent = text;
  return element;
}

/** Creates one of the icons in styles.css. */
export function icon(name: string): HTMLElement {
  const element = document.createElement("i");
  element.className = `icon icon-${name}`;
  return element;
}
