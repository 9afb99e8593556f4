module example.org/gotosocial

go 1.23
