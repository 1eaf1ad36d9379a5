import { useState } from "react";
import { describeTranscript, type Transcript } from "../bot/transcript";
import { COPY, copyText } from "../page/copy";

/** Copies the transcript. */
export function CopyButton({ words }: { words: Transcript }) {
  const [label, setLabel] = useState(COPY);
  const copy = () => copyText(describeTranscript(words.getState()), setLabel);
  return (
    <button type="button" className="copy" onClick={copy}>
      {label}
    </button>
  );
}
