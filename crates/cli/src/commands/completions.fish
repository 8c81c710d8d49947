
# Plans, points, keys and other words come from the program.
complete -c airtime -a '(airtime complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
