interface Props {
  text: string;
  onDismiss?: () => void;
}

export function Problem({ text, onDismiss }: Props) {
  return (
    <p className="problem">
      {text}
      {onDismiss && (
        <button type="button" aria-label="Dismiss" onClick={onDismiss}>
          ×
        </button>
      )}
    </p>
  );
}
