--[[
  Counts an attempt with a credential that does not exist, in tables of fixed size: however many credentials
  somebody invents, the memory stays the same. Two that meet in one cell can only refuse one another sooner,
  and neither could ever have been accepted.

  KEYS[1]  start of the tables' names; the hour is appended (all names share the hash tag of the prefix)
  ARGV[1]  cell, 0 to 262143

  Output   attempts in this cell in the present and the previous hour, at most 30
]]
local hour = math.floor(tonumber(redis.call('TIME')[1]) / 3600)
local present = KEYS[1] .. ':' .. hour
local previous = KEYS[1] .. ':' .. (hour - 1)
local cell = '#' .. ARGV[1]
local before = redis.call('BITFIELD_RO', previous, 'GET', 'u4', cell)[1]
local now = redis.call('BITFIELD', present, 'OVERFLOW', 'SAT', 'INCRBY', 'u4', cell, 1)[1]
redis.call('EXPIRE', present, 7200)
return before + now
