/** Grey bars in place of lines that are on their way. */
export function Rows({ count = 5 }: { count?: number }) {
  return (
    <div className="stack" aria-hidden="true">
      {Array.from({ length: count }, (_, i) => (
        <span key={i} className="skeleton" />
      ))}
    </div>
  );
}
