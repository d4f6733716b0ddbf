--[[
  Adds what one pod has seen of an address to what all pods have.

  KEYS[1]  counter of the address's window
  ARGV[1]  requests to add
  ARGV[2]  milliseconds that a window lasts where none runs

  Output   { requests in the window, ms until it ends }
]]
local total = redis.call('INCRBY', KEYS[1], ARGV[1])
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  left = tonumber(ARGV[2])
  redis.call('PEXPIRE', KEYS[1], left)
end
return { total, left }
