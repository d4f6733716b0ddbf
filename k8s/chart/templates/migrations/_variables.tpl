{{/* The owner's URL, and those of the logins that the Job puts in place. */}}
{{- define "outcomes.migrationVariables" -}}
{{- $secret := .Values.secrets.database -}}
{{ include "outcomes.secretVariable" (dict "name" "DATABASE_URL" "secret" $secret "key" "owner") }}
{{- range list "read-api" "ingest-api" "mcp-gateway" "analysis-worker" "cli" }}
{{ include "outcomes.secretVariable" (dict "name" (printf "%s_DATABASE_URL" (. | upper | replace "-" "_")) "secret" $secret "key" .) }}
{{- end }}
{{- end -}}
