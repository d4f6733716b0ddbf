{{/* Where the Secret has it: to read all rows takes a role that not every owner may create. */}}
{{- define "outcomes.backupVariable" -}}
- name: BACKUP_DATABASE_URL
  valueFrom: { secretKeyRef: { name: {{ .Values.secrets.database }}, key: backup, optional: true } }
{{- end -}}

{{/* Those of the logins that the Job puts in place, and that the doctor tries. */}}
{{- define "outcomes.loginVariables" -}}
{{- $secret := .Values.secrets.database -}}
{{- $keys := list "read-api" "ingest-api" "mcp-gateway" "analysis-worker" "cli" -}}
{{- if .Values.console.enabled }}{{ $keys = append $keys "console" }}{{ end -}}
{{- range $index, $key := $keys }}
{{- if $index }}{{ "\n" }}{{ end }}
{{- include "outcomes.secretVariable" (dict "name" (printf "%s_DATABASE_URL" ($key | upper | replace "-" "_")) "secret" $secret "key" $key) }}
{{- end }}
{{- end -}}
