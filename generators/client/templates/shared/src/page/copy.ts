export const COPY = "Copy transcript";

const SHOWN_MS = 2_000;

/** Copies a text to the clipboard. `show` gets what its button says: the result, and after a while `COPY` again. */
export async function copyText(text: string, show: (label: string) => void): Promise<void> {
  await navigator.clipboard.writeText(text).then(
    () => show("Copied"),
    () => show("The browser doesn't allow copying"),
  );
  setTimeout(() => show(COPY), SHOWN_MS);
}
