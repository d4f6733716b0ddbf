import { useEffect, useRef, useState } from 'react';
import type { AgentAccess } from '../api/console.query';
import { momentOf } from '../words.format';
import type { CreatedKey } from './key.form';

interface Props {
  readonly created: CreatedKey;
  readonly access: AgentAccess;
  readonly onDone: () => void;
}

/** A key, this once, and how to use it. What is copied says $API_KEY where the key stands in an environment. */
export function CreatedKeyPanel({ created, access: { addresses }, onDone }: Props) {
  const [isCopied, setCopied] = useState(false);
  const place = useRef<HTMLElement>(null);
  // It is shown once, above a list that may fill the window.
  useEffect(() => place.current?.focus(), [created.keyId]);
  const copy = () => void navigator.clipboard.writeText(created.apiKey).then(() => setCopied(true));
  const bearer = '"Authorization: Bearer $API_KEY"';
  return (
    <section ref={place} className="panel warning" aria-label="New key" tabIndex={-1}>
      <h2>Your new key</h2>
      <p>Shown once. We keep a fingerprint only. It ends on {momentOf(created.expiresAt)}.</p>
      <pre tabIndex={0} role="region" aria-label="Key" data-testid="new-key">
        {created.apiKey}
      </pre>
      <div className="row">
        <button className="main" onClick={copy}>
          Copy
        </button>
        <button onClick={onDone}>I have saved it</button>
        <span role="status">{isCopied && 'Copied.'}</span>
      </div>
      {created.purpose !== 'ingest' && created.purpose !== 'read' && (
        <>
          <h3>Claude Code</h3>
          <pre
            tabIndex={0}
          >{`claude mcp add --transport http outcomes ${addresses.mcp} --header ${bearer}`}</pre>
          <h3>Cursor (other MCP clients may name the variable otherwise)</h3>
          <pre tabIndex={0}>
            {JSON.stringify(
              {
                mcpServers: {
                  outcomes: { url: addresses.mcp, headers: { Authorization: 'Bearer ${env:API_KEY}' } },
                },
              },
              null,
              2,
            )}
          </pre>
        </>
      )}
      <h3>curl</h3>
      <pre tabIndex={0}>
        {created.purpose === 'ingest'
          ? `curl -H ${bearer} ${addresses.ingestApi}/ingest/status`
          : `curl -H ${bearer} ${addresses.readApi}/patterns`}
      </pre>
    </section>
  );
}
